import { request } from 'node:https'
import { buffer } from 'node:stream/consumers'

export interface HttpsCall {
  readonly method: string
  readonly headers: Record<string, string>
  readonly body?: string
}

/** As `fetch`, of a service whose certificate nobody has signed. */
export function callHttps(url: string, { method, headers, body }: HttpsCall): Promise<Response> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent: false, rejectUnauthorized: false }, (response) => {
      const type = response.headers['content-type'] ?? ''
      buffer(response).then(
        (content) =>
          resolve(
            new Response(Uint8Array.from(content), { status: response.statusCode!, headers: { 'content-type': type } }),
          ),
        reject,
      )
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
