/** Notes of the server about what was recorded, or about its solution. */
export function Notes({ notes }: { notes: readonly string[] }) {
  if (!notes.length) return null
  return (
    <ul class="notes" aria-label="Notes">
      {notes.map((note, i) => (
        <li key={i}>{note[0].toUpperCase() + note.slice(1)}</li>
      ))}
    </ul>
  )
}
