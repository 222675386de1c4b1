/** What is sent only where it was asked for: readers of before did not. */
export const askedExtras = ['alerts', 'telemetry'] as const
export type AskedExtra = (typeof askedExtras)[number]
