/**
 * One step of the pipeline. A stage pulls from the stage before it, so a slow stage slows its producer instead of filling
 * memory; only the hand-over after `decode` may drop, and it drops the oldest frame. A stage ends when its input ends, and
 * when nobody pulls any more it is ended by `return`, as every generator is.
 */
export type Stage<In, Out> = (input: AsyncIterable<In>) => AsyncIterable<Out>
