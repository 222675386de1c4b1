import { type ProcessRef } from './process-facts.ts'

/** Whose it is, and of which process. */
export type PublishedProcess = Pick<ProcessRef, 'processId' | 'accountId'>

/** What of processes goes to programs that listen beside the nodes. Never waits: what cannot be sent at once is lost. */
export interface LivePublisher {
  /** A detection message, as its clients get it. Undefined where nobody is to have any. */
  readonly publishScene?: ((process: PublishedProcess, message: string) => void) | undefined
  /** `type` is that of the notification. Undefined likewise. */
  readonly publishNotification?: ((process: PublishedProcess, type: string, notification: string) => void) | undefined
}

/** What an operator may turn on. */
export const publishedKinds = ['scenes', 'notifications'] as const
export type PublishedKind = (typeof publishedKinds)[number]
