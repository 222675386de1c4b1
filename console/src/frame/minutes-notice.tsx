import { ask } from '../ask.ts'
import { usePolled } from '../polling.ts'
import { api } from '../service.ts'
import { minutesWarning } from './minutes-words.ts'
import { Notice } from './notice.tsx'

const EVERY_MS = 60_000

/** Warns on every page of minutes that run out within a day. */
export function MinutesNotice() {
  const { data } = usePolled(() => ask(api.GET('/user_info')), EVERY_MS)
  return <Notice sentence={data.value ? minutesWarning(data.value.subscription) : ''} />
}
