export interface NoticeProps {
  readonly sentence: string
  /** `calm`: something is not as it should be, and may well mend by itself. */
  readonly kind?: 'problem' | 'calm' | 'good'
}

/** A calm one may have an age in it that grows: a screen reader that read it out each time would never be quiet. */
const roles = { problem: 'alert', calm: 'note', good: 'status' } as const

/** Something that the user should know, in the service's own words; nothing when there is nothing. */
export function Notice({ sentence, kind = 'problem' }: NoticeProps) {
  if (!sentence) return null
  return (
    <p class={`notice ${kind}`} role={roles[kind]}>
      {sentence}
    </p>
  )
}
