/** Something that the user should know, in the service's own words; nothing when there is nothing. */
export function Notice({ sentence, kind = 'problem' }: { sentence: string; kind?: 'problem' | 'good' }) {
  if (!sentence) return null
  return (
    <p class={`notice ${kind}`} role={kind === 'problem' ? 'alert' : 'status'}>
      {sentence}
    </p>
  )
}
