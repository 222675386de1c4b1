import { type ProcessInfo } from '@aerie/client'

/** What a process that waits for its video will do. */
export const waitingWords = ({ again }: Pick<ProcessInfo, 'again'>) =>
  again ? 'Begins each time video comes.' : 'Begins when video comes.'
