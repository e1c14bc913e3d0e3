"""Whether a page is as it was when it was loaded: scripts that tidy it up and compare."""

# What the page shows and holds: what `window.__facewright` tells, the elements, what is typed, scrolled and focused.
# Left out is what differs from frame to frame without a meaning.
STATE = """
(() => {
  const { applied, scriptTime, positions, rest, still, drawn, ready, mix, opened, ...told } = window.__facewright
  const { bytes, pictures, ...mixed } = mix ?? {}
  const lines = [told.textures ? JSON.stringify(mixed) : ''] // without textures none is mixed
  for (const [name, value] of Object.entries(told)) lines.push(`${name} ${JSON.stringify(value)}`)
  for (const element of document.body.querySelectorAll('*')) {
    const passing = element.matches('canvas') ? ['style', 'width', 'height'] : element.style?.length ? [] : ['style']
    const names = element.getAttributeNames().filter(name => !passing.includes(name)).sort()
    const text = [...element.childNodes].filter(node => node.nodeType === Node.TEXT_NODE).map(node => node.data).join()
    const { scrollTop, scrollLeft, value, checked } = element
    const inner = [text, scrollTop, scrollLeft, value, checked, element === document.activeElement]
    lines.push([element.tagName, ...names.map(name => `${name}=${element.getAttribute(name)}`), ...inner].join(' '))
  }
  return lines.join('\\n')
})()
""".strip()

# The tab keeps it when the page is loaded anew.
KEEP = f"sessionStorage.setItem('fresh', {STATE})"
IS_FRESH = f"sessionStorage.getItem('fresh') === {STATE}"

TIDY = """
(() => {
  document.querySelector('#tab-pose[aria-selected=false]')?.click()
  for (const button of document.querySelectorAll('.toast > button')) button.click()
  document.activeElement?.blur()
  for (const element of document.querySelectorAll('*'))
    if (element.scrollTop || element.scrollLeft) element.scrollTo(0, 0)
})()
"""
