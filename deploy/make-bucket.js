// Makes the bucket of AERIE_OBJECT_STORE_URL, unless it is there: for the object store of compose.yml, which begins empty.
import { AwsClient } from 'aws4fetch'

const {
  AERIE_OBJECT_STORE_URL: url = '',
  AERIE_OBJECT_STORE_REGION: region = 'us-east-1',
  AERIE_OBJECT_STORE_KEY: accessKeyId = '',
  AERIE_OBJECT_STORE_SECRET: secretAccessKey = '',
} = process.env
const { origin, pathname } = new URL(url)
const bucket = pathname.split('/')[1]
const store = new AwsClient({ accessKeyId, secretAccessKey, region, service: 's3' })
const answer = await store.fetch(`${origin}/${bucket}`, { method: 'PUT' })
if (!answer.ok && answer.status !== 409) {
  process.stderr.write(`The bucket ${bucket} could not be made (${answer.status}): ${await answer.text()}\n`)
  process.exit(1)
}
process.stdout.write(`${bucket} is there\n`)
