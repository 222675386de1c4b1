/** What was typed into the form of a stream. */
export interface StreamForm {
  readonly alias: string
  readonly input_url: string
  readonly stream_type: 'rtsp' | 'rtmp'
}

export function readStreamForm(form: HTMLFormElement): StreamForm {
  const fields = new FormData(form)
  const text = (name: string) => {
    const value = fields.get(name)
    return typeof value === 'string' ? value.trim() : ''
  }
  const input_url = text('input_url')
  return { alias: text('alias'), input_url, stream_type: streamTypeOf(input_url) }
}

/** The address says it; asking for it again would only be one more thing to get wrong. */
export function streamTypeOf(inputUrl: string): 'rtsp' | 'rtmp' {
  return /^rtmps?:/i.test(inputUrl) ? 'rtmp' : 'rtsp'
}
