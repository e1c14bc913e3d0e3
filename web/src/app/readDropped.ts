/** The files of a drop, with the folders that they are in. */

/** A dropped file; path: with the folders before it, from the one that was dropped on. */
export interface Dropped {
  file: File
  path: string
}

const DEEPEST = 4 // folders inside folders
const MOST = 20_000 // files

/** All files of a drop. Call it while the event is handled: the browser empties the list afterwards. */
export async function readDropped(data: DataTransfer): Promise<Dropped[]> {
  const entries = [...data.items].map((item) => (item.kind === 'file' ? item.webkitGetAsEntry() : null))
  if (!entries.some((entry) => entry?.isDirectory)) return [...data.files].map((file) => ({ file, path: file.name }))
  const found: Dropped[] = []
  for (const entry of entries) if (entry) await collect(entry, '', found)
  return found
}

async function collect(entry: FileSystemEntry, before: string, found: Dropped[]): Promise<void> {
  if (entry.name.startsWith('.')) return // of the system, such as .DS_Store
  const path = before + entry.name
  if (found.length >= MOST) throw new Error(`More than ${MOST} files were dropped; drop a folder with fewer.`)
  if (entry.isFile) {
    const file = await new Promise<File>((done, failed) => (entry as FileSystemFileEntry).file(done, failed))
    found.push({ file, path })
  } else if (path.split('/').length <= DEEPEST) {
    for (const each of await listed(entry as FileSystemDirectoryEntry)) await collect(each, `${path}/`, found)
  }
}

/** The entries of a folder. A browser gives about a hundred at a time, and none at the end. */
async function listed(folder: FileSystemDirectoryEntry): Promise<FileSystemEntry[]> {
  const reader = folder.createReader()
  const found: FileSystemEntry[] = []
  for (;;) {
    const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed))
    if (!some.length) return found.sort((a, b) => a.name.localeCompare(b.name))
    found.push(...some)
  }
}
