/**
 * The key of the page, which every request to the server but those for the page's own files has to show.
 * It comes behind the # of the address that the token opens, and stays in the storage of this tab.
 */
const KEPT = 'facewright.key'

function read(): string {
  const given = /^#key=(\w+)$/.exec(location.hash)?.[1]
  if (!given) return sessionStorage.getItem(KEPT) ?? ''
  sessionStorage.setItem(KEPT, given)
  history.replaceState(null, '', location.pathname)
  return given
}

let key: string | null = null

/** The address with the key. */
export const keyed = (address: string) => `${address}${address.includes('?') ? '&' : '?'}key=${(key ??= read())}`
