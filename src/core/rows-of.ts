/** A text of this size (bytes or characters) takes about as long to write as its row does. */
const ROW_SIZE = 5_000

/** As how many rows a text of this size counts. */
export const rowsOf = (size: number) => Math.max(1, size / ROW_SIZE)
