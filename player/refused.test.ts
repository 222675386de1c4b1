import { expect, test } from 'vitest'
import { refusalOf } from './refused.js'

test.each([
  {
    name: "the service's own sentence",
    body: '{"code": "stream-not-found", "detail": "There is none."}',
    sentence: 'There is none.',
  },
  {
    name: 'what is wrong where, of unacceptable input',
    body: '{"code": "input-invalid", "detail": "`errors` lists each place.", "errors": [{"path": "query.from", "message": "Write a zone."}]}',
    sentence: 'Write a zone.',
  },
  { name: 'the status, of an answer that is none of ours', body: '<html>', sentence: 'The service answered 422.' },
])('a refusal says $name', async ({ body, sentence }) => {
  const refused = await refusalOf(new Response(body, { status: 422 }))
  expect(refused).toMatchObject({ status: 422, message: sentence })
})
