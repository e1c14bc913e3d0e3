/** A place or a direction in space. */
export type Vec = readonly [number, number, number]
