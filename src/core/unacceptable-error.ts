/** Something that will be refused however often it is tried: who tries again must let go of it. */
export class UnacceptableError extends Error {}
