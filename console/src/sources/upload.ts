import { AerieError, isProblem } from '@aerie/client'
import { root } from '../service.ts'

/** Sends a video. `fetch` cannot say how far an upload is, so this is done the old way. */
export function uploadVideo(file: File, onProgress: (share: number) => void, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const form = new FormData()
    form.set('file', file)
    const request = new XMLHttpRequest()
    request.open('POST', `${root}/video`)
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.onerror = () => reject(new Error('The upload was interrupted.'))
    request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'))
    request.onload = () => {
      const answer: unknown = request.response
      if (request.status < 300) resolve()
      else reject(isProblem(answer) ? new AerieError(answer) : new Error(`The service answered ${request.status}.`))
    }
    signal.addEventListener('abort', () => request.abort(), { once: true })
    request.send(form)
  })
}
