import { useEffect, useRef } from 'preact/hooks'
import { Notice } from '../frame/notice.tsx'
import { cancelUpload, forgetOutcome, sentShare, startUpload, uploadedName, uploadProblem } from './running-upload.ts'

/** Takes a video file in, with a bar that says how far it is. */
export function UploadVideo({ onAdded }: { onAdded: () => Promise<void> }) {
  const form = useRef<HTMLFormElement>(null)
  const share = sentShare.value

  useEffect(() => {
    if (!uploadedName.value) return
    form.current!.reset()
    void onAdded()
  }, [uploadedName.value])
  // What was read once is not shown again.
  useEffect(() => forgetOutcome, [])

  function upload(event: SubmitEvent): void {
    event.preventDefault()
    const file = new FormData(form.current!).get('file')
    if (file instanceof File && file.size > 0) void startUpload(file)
  }

  return (
    <section class="card" aria-labelledby="upload">
      <h2 id="upload">Upload a video</h2>
      <form ref={form} onSubmit={upload}>
        <label>
          File (mp4, mov or avi)
          <input name="file" type="file" accept=".mp4,.mov,.avi,video/mp4,video/quicktime" required />
        </label>
        <div class="actions">
          <button type="submit" class="primary" disabled={share !== undefined}>
            Upload
          </button>
          {share !== undefined && (
            <button type="button" onClick={cancelUpload}>
              Cancel
            </button>
          )}
        </div>
        {share !== undefined && (
          <label>
            {share < 1 ? `${Math.round(share * 100)} % sent` : 'Sent; the service looks at it …'}
            <progress max={1} value={share} />
          </label>
        )}
      </form>
      <Notice sentence={uploadProblem.value} />
      <Notice sentence={uploadedName.value && `${uploadedName.value} is uploaded.`} kind="good" />
    </section>
  )
}
