/** Numbers as people type them. */

/** The number that a text means, with a comma or a point; null where it means none. */
export function typedNumber(text: string): number | null {
  const plain = text.trim().replace(',', '.').replace('−', '-')
  const value = plain === '' ? NaN : Number(plain)
  return Number.isFinite(value) ? value : null
}

/** What is said to a text that is no number. */
export const noNumber = (text: string, kept: string) => `“${text.trim().slice(0, 40)}” is no number: ${kept} stays.`
