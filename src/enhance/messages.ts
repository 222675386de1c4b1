/** The whole contract between main and the enhancement worker: main sends one track after the other, and each gets one answer. */
export type ToEnhancer = { readonly type: 'enhance'; readonly request: number; readonly track: TrackToEnhance }

export interface TrackToEnhance {
  readonly className: string
  /** At most `MAX_PICTURES` are looked at. */
  readonly pictures: readonly PictureToEnhance[]
  /** How large the box looked from the camera. */
  readonly angularWidthDeg?: number
  readonly angularHeightDeg?: number
  /** From the camera; left out when it was guessed from the usual size of the class, since a size made of it would be that guess. */
  readonly distanceM?: number
  /** From the camera, by whatever way it was found. */
  readonly reportedDistanceM?: number
  /** The box's width at the place where the track stands on the ground. */
  readonly groundWidthM?: number
}

export interface PictureToEnhance {
  readonly file: string
  /** 0…1, of the detection. */
  readonly confidence: number
  readonly role: 'patch' | 'crop'
}

export type FromEnhancer =
  /** Sent once, when the worker listens. */
  | { readonly type: 'ready' }
  | { readonly type: 'enhanced'; readonly request: number; readonly enhanced: Enhanced }
  /** Nothing can be done before somebody has done what the sentence says; it comes in place of an answer. */
  | { readonly type: 'unusable'; readonly sentence: string }

/** A name of the eleven basic colours, and how sure it is, 0…1. */
export interface NamedColour {
  readonly name: string
  readonly confidence: number
}

/** What was found out of a track. */
export interface Enhanced {
  readonly data: EnhancedData
  /** Of a flying thing all is known without. */
  readonly needsPictures: boolean
  /** A sentence that says why none of the pictures that it needs could be read. */
  readonly unread?: string
}

/** What can't be found out, or doesn't apply to the class, is null. As it leaves the service, hence the names. */
export interface EnhancedData {
  readonly vehicle_type: string | null
  readonly color: NamedColour | null
  /** The characters A–Z and 0–9 alone; the confidence goes from 0 to 1. */
  readonly plate: { readonly text: string; readonly confidence: number } | null
  readonly upper_color: NamedColour | null
  readonly lower_color: NamedColour | null
  readonly kind: string | null
  readonly estimated_size_m: number | null
  /** Of what flies, from the camera. */
  readonly distance_m: number | null
}

export const nothingFound: EnhancedData = {
  vehicle_type: null,
  color: null,
  plate: null,
  upper_color: null,
  lower_color: null,
  kind: null,
  estimated_size_m: null,
  distance_m: null,
}

/** One patch and five crops are kept for a track. */
export const MAX_PICTURES = 8
