/** Something that will be refused however often it is tried: a retry loop must drop it. */
export class UnacceptableError extends Error {}
