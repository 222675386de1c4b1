import { shortened } from './shortened.ts'

const MAX_SENTENCE_LENGTH = 500

/** Cuts a sentence that may quote others (a camera, a server) before it is kept or shown. Our own are shorter. */
export const shortSentence = (sentence: string): string => shortened(sentence, MAX_SENTENCE_LENGTH)
