import { useCountedAge } from '../counted-age.ts'
import { type OldPicture, oldPictureWords } from './picture-age.ts'

/** Stands over a picture that is not of now. */
export function OldPictureNote({ picture }: { picture: OldPicture }) {
  const ageMs = useCountedAge(picture.ageMs)
  return <p class="old">{oldPictureWords(picture.takenAt, ageMs)}</p>
}
