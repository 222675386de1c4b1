import { type ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

/** How much of something is used, as a bar with its words. */
export function Gauge({ name, used, total, children }: GaugeProps) {
  const id = useId()
  return (
    <section class="card gauge">
      <h2 id={id}>{name}</h2>
      <progress aria-labelledby={id} value={used} max={total} />
      <p>{children}</p>
    </section>
  )
}

export interface GaugeProps {
  readonly name: string
  readonly used: number
  readonly total: number
  readonly children: ComponentChildren
}
