import { signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { root } from '../service.ts'

export interface MotionJpegProps {
  readonly processId: string
  readonly label: string
  readonly onLoad: (event: Event) => void
}

/** Each takes one of the six connections that browsers open to a server; requests, events and HLS need the others. */
const MAX_PLAYING = 3
const RETRY_MS = 5_000
/** Views that want one, in the order in which they came. */
const wanting = signal<readonly symbol[]>([])

/** The picture as motion JPEG, as long as there are not too many on the page; the next has its turn when one goes. */
export function MotionJpeg({ processId, label, onLoad }: MotionJpegProps) {
  const ticket = useRef(Symbol(processId)).current
  useEffect(() => {
    wanting.value = [...wanting.value, ticket]
    return () => void (wanting.value = wanting.value.filter((other) => other !== ticket))
  }, [])
  const place = wanting.value.indexOf(ticket)
  if (place >= MAX_PLAYING) return <p class="held">Open it to see its picture.</p>
  return place < 0 ? null : <Picture processId={processId} label={label} onLoad={onLoad} />
}

function Picture(props: MotionJpegProps) {
  const isBroken = useSignal(false)
  useEffect(() => {
    if (!isBroken.value) return
    const timer = setTimeout(() => (isBroken.value = false), RETRY_MS)
    return () => clearTimeout(timer)
  }, [isBroken.value])
  if (isBroken.value) return <p class="held">There is no picture now.</p>
  return <Stream {...props} onError={() => (isBroken.value = true)} />
}

function Stream({ processId, label, onLoad, onError }: MotionJpegProps & { readonly onError: () => void }) {
  const image = useRef<HTMLImageElement>(null)
  useEffect(() => {
    const shown = image.current!
    // Taken out of the page alone, it would be read on until the browser tidies up.
    return () => shown.removeAttribute('src')
  }, [])
  return <img ref={image} src={`${root}/process/${processId}/feed`} alt={label} onLoad={onLoad} onError={onError} />
}
