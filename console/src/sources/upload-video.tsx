import { useSignal } from '@preact/signals'
import { useRef } from 'preact/hooks'
import { Notice } from '../frame/notice.tsx'
import { uploadVideo } from './upload.ts'

/** Takes a video file in, with a bar that says how far it is. */
export function UploadVideo({ onAdded }: { onAdded: () => Promise<void> }) {
  const form = useRef<HTMLFormElement>(null)
  const share = useSignal<number | undefined>(undefined)
  const problem = useSignal('')
  const added = useSignal('')
  const cancelling = useRef<AbortController>(undefined)

  async function upload(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const file = new FormData(form.current!).get('file')
    if (!(file instanceof File) || file.size === 0) return
    problem.value = ''
    added.value = ''
    share.value = 0
    cancelling.current = new AbortController()
    try {
      await uploadVideo(file, (done) => (share.value = done), cancelling.current.signal)
      added.value = `${file.name} is uploaded.`
      form.current!.reset()
      await onAdded()
    } catch (error) {
      if ((error as Error).name !== 'AbortError') problem.value = (error as Error).message
    } finally {
      share.value = undefined
    }
  }

  return (
    <section class="card" aria-labelledby="upload">
      <h2 id="upload">Upload a video</h2>
      <form ref={form} onSubmit={(event) => void upload(event)}>
        <label>
          File (mp4, mov or avi)
          <input name="file" type="file" accept=".mp4,.mov,.avi,video/mp4,video/quicktime" required />
        </label>
        <div class="actions">
          <button type="submit" class="primary" disabled={share.value !== undefined}>
            Upload
          </button>
          {share.value !== undefined && (
            <button type="button" onClick={() => cancelling.current?.abort()}>
              Cancel
            </button>
          )}
        </div>
        {share.value !== undefined && (
          <label>
            {share.value < 1 ? `${Math.round(share.value * 100)} % sent` : 'Sent; the service looks at it …'}
            <progress max={1} value={share.value} />
          </label>
        )}
      </form>
      <Notice sentence={problem.value} />
      <Notice sentence={added.value} kind="good" />
    </section>
  )
}
