const FAULTS = [TypeError, RangeError, ReferenceError, SyntaxError, URIError, EvalError]

/** Whether an error is one that our code throws on purpose, with a sentence for somebody; the language’s own are faults of ours. */
export function isSentence(error: unknown): error is Error {
  return error instanceof Error && !FAULTS.some((fault) => error instanceof fault) && error.message.trim() !== ''
}
