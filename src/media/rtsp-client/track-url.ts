/** The URL of a track: its control, absolute or below the stream's (RFC 2326 §C.1.1). A token in the query stays where it is. */
export function trackUrl(streamUrl: string, control: string | undefined): string {
  if (!control || control === '*') return streamUrl
  if (/^rtsps?:\/\//i.test(control)) return control
  const [address, query] = streamUrl.split('?', 2)
  return `${address!.replace(/\/+$/, '')}/${control}${query === undefined ? '' : `?${query}`}`
}
