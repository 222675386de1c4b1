import { type ComponentChildren } from 'preact'

/** Nothing is here yet; says what to do next. */
export function EmptyState({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section class="empty">
      <h2>{title}</h2>
      {children}
    </section>
  )
}
