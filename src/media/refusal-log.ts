export { createRefusalLog, type RefusalLog } from '../observe/refusal-log.ts'
