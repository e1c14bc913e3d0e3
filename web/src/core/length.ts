/** A length with few digits. */
export function length(value: number, digits = 3): string {
  if (!(value > 0)) return '0'
  return value >= 100
    ? value.toFixed(0)
    : value >= 0.0001
      ? Number(value.toPrecision(digits)).toString()
      : value.toExponential(0)
}
