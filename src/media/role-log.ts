/** What the log says of a client when its stream begins and when it ends: the same for every protocol, so that one search finds all. */
export const ROLE_LOG = {
  publish: { began: 'A publisher sends.', ended: 'A publisher left.' },
  play: { began: 'A reader plays.', ended: 'A reader left.' },
} as const
