/** Text as it stands, for Leaflet, which takes every string for HTML: names of sources and classes are whatever somebody typed. */
export function plainText(text: string): HTMLElement {
  const element = document.createElement('span')
  element.textContent = text
  return element
}
