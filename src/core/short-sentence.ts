import { shortened } from './shortened.ts'

const MAX_SENTENCE_LENGTH = 500

/** A sentence in which others may have had their say (a camera, a server), as it is kept and shown: none of ours is longer. */
export const shortSentence = (sentence: string): string => shortened(sentence, MAX_SENTENCE_LENGTH)
