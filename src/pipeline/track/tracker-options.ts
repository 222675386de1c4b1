/**
 * The tracker's settings. One set serves every camera; each line says what is won and lost by moving it. Lengths are in
 * units of an object's size (the root of its box's area), times in seconds, so that neither resolution nor frame rate matters.
 */
export interface TrackerOptions {
  /** Detections below are ignored. Lower bridges more occlusions, and follows more noise. */
  readonly minConfidence: number
  /** Detections below never start a track. Lower finds faint objects, and more false ones. */
  readonly newTrackConfidence: number
  /** A detection is strong for a track from this part of the track's usual confidence; weak ones only continue tracks just seen. */
  readonly strongShare: number
  /** Detections below this part of the track's usual confidence are not joined at all. */
  readonly weakShare: number
  /** Overlap needed to join a strong detection. Lower survives jumps, and swaps neighbours. */
  readonly minOverlap: number
  /** The same for weak ones, which must fit better. */
  readonly minWeakOverlap: number
  /** How long after its last detection a track takes weak ones. */
  readonly weakAfterSeconds: number
  /** Boxes are widened by this many standard deviations of the predicted place before they are compared… */
  readonly marginDeviations: number
  /** …but by no more than this, and `marginRate` for each second since the last frame: in that time it can go anywhere. */
  readonly maxMargin: number
  readonly marginRate: number
  /** How much a detection's confidence counts beside its overlap when several tracks want it: 0 to 1. */
  readonly confidenceShare: number
  /** What a detection of a class that the track never had loses of its overlap: 0 to 1. */
  readonly classPenalty: number
  /** What a detector is thought to give to true objects until it is learnt. Lower believes a modest detector sooner, and others' mistakes. */
  readonly assumedConfidence: number
  /** Evidence at which a track is believed; a detection as confident as usual for its class brings 1. Higher is surer, and later. */
  readonly confirmingEvidence: number
  /** Evidence below which a track that is not found any more is doubted again. */
  readonly doubtfulEvidence: number
  /** A long-seen track is trusted no more than this, so that doubt can come. */
  readonly maxEvidence: number
  /** What a frame without detection takes from the evidence. */
  readonly missingEvidence: number
  /** How steeply less confident detections bring less evidence; the faintest take some away. */
  readonly evidencePower: number
  /** What a second of detections that could start a track brings at least, however faint: patience is rewarded. */
  readonly lingeringEvidence: number
  /** A track not found for longer is forgotten. Longer survives occlusions, and wakes up on strangers. */
  readonly coastSeconds: number
  /** The same for tracks that were never believed. */
  readonly tentativeCoastSeconds: number
  /**
   * A new track that begins this near to where one was lost, where no other is, goes on as that one. For small things that turn faster than
   * can be foreseen, and are few; 0 where they crowd. More survives wilder turns, and takes strangers for the same.
   */
  readonly reidentifyDistance: number
  /** Part of the filtered box in the reported one; the rest is the detection's own. More is calmer, and lags. */
  readonly smoothing: number
  /** Detections of any class that overlap more than this are one object seen twice. */
  readonly duplicateOverlap: number
  /** The id of the first track; lower ones were given before. */
  readonly firstId: number
  /** Detections and tracks beyond this many are left out, the least confident first. */
  readonly limit: number
}

export const defaultTrackerOptions: TrackerOptions = {
  minConfidence: 0.1,
  newTrackConfidence: 0.3,
  strongShare: 0.7,
  weakShare: 0.45,
  minOverlap: 0.22,
  minWeakOverlap: 0.5,
  weakAfterSeconds: 0.3,
  marginDeviations: 1.2,
  maxMargin: 0.2,
  marginRate: 1,
  confidenceShare: 0.6,
  classPenalty: 0.5,
  assumedConfidence: 0.9,
  confirmingEvidence: 1.7,
  doubtfulEvidence: 0.3,
  maxEvidence: 5,
  missingEvidence: 0.2,
  evidencePower: 4,
  lingeringEvidence: 0.5,
  coastSeconds: 2,
  tentativeCoastSeconds: 0.2,
  reidentifyDistance: 0,
  smoothing: 0.6,
  duplicateOverlap: 0.8,
  firstId: 1,
  limit: 1000,
}
