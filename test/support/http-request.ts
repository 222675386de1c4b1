import { request } from 'node:http'

export interface HttpAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly text: string
}

/** A request with whatever headers a test wants, such as a `Host` that `fetch` would not send. */
export function sendHttp(
  url: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false }, (response) => {
      let text = ''
      response.on('data', (chunk: Buffer) => void (text += chunk.toString()))
      response.on('error', reject)
      response.on('end', () => resolve({ status: response.statusCode!, headers: response.headers, text }))
    })
    sent.on('error', reject)
    // A websocket that was opened after all.
    sent.on('upgrade', (response, socket) => {
      socket.destroy()
      resolve({ status: response.statusCode!, headers: response.headers, text: '' })
    })
    sent.end(body)
  })
}
