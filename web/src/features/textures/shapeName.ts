/** The longest name of a shape that a file's name contains as a whole word. */
export function shapeNamed(file: string, shapes: readonly string[]): string | null {
  const words = ` ${file
    .toLowerCase()
    .replace(/\.[^.]*$/, '')
    .replace(/[^a-z0-9]+/g, ' ')} `
  const found = shapes.filter((name) =>
    words.includes(
      ` ${name
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, ' ')
        .trim()} `,
    ),
  )
  return found.sort((a, b) => b.length - a.length)[0] ?? null
}
