import { aerie } from './aerie.ts'
import { type MeasuredAccuracy } from '../../core/model-facts.ts'
import { type EmbeddedModel } from './model-card.ts'

/**
 * Detectors that we trained ourselves for what the COCO models are blind to. `models/` holds the weights and their cards, `training/` how
 * they were made. Two entries share the weights `aerial`, which know more than can be trusted on every kind of video.
 */
export const trainedModels: readonly EmbeddedModel[] = [
  trained({
    name: 'airborne',
    weights: {
      from: 'repository',
      file: 'airborne/model.onnx',
      sha256: '0f871d163611e1f956eb74f4cee01f7e0624aa6137d9fbe767017e5c46f9f318',
    },
    outputs: ['drone', 'airplane', 'helicopter', 'bird'],
    // It answers at several scales for one thing. In the sky little is ever before something else.
    maxCovered: 0.7,
    reidentifyDistance: 4,
    wantedDetail: 1,
    suggestedTiles: 'auto',
    status: 'beta',
    useWhen:
      'A camera that looks at the sky, visible or infrared: drones, airplanes, helicopters, birds. With fields of view as telemetry it tells azimuth, elevation, and the distance by the size that is usual for the class. The class of a single picture is moderately reliable, that of a track is better.',
    description: 'What flies, on visible and infrared video.',
    attribution:
      'Trained by the authors of Aerie on the Drone-detection-dataset (CC0 1.0; F. Svanström, F. Alonso-Fernandez, C. Englund, doi:10.5281/zenodo.5500576); pictures without flying objects from the KIT AIS Data Set (CC BY 3.0, © "KIT AIS Data Set") and the Aerial Maritime Drone Dataset (MIT)',
    measured: [
      {
        on: 'Drone-detection-dataset, visible: 979 frames of 43 videos not trained on',
        byClass: { drone: 0.826, airplane: 0.898, helicopter: 0.777, bird: 0.73 },
      },
      {
        on: 'Drone-detection-dataset, infrared: 550 frames of 55 videos not trained on',
        byClass: { drone: 0.95, airplane: 0.68, helicopter: 0.842, bird: 0.694 },
      },
    ],
  }),
  trained({
    ...aerial(),
    name: 'thermal',
    outputs: ['person', 'vehicle', 'bicycle', undefined],
    status: 'beta',
    // As in the pictures that it learnt from: vehicles at 60 to 130 m, through a lens of about 25°, with which these sizes fit.
    trainedSize: { objectM: 3.2, minPx: 30, maxPx: 75, assumed: { heightM: 90, pitchDeg: -90, hfovDeg: 25 } },
    useWhen:
      'Thermal video from a drone at 60 to 130 m, looking straight or obliquely down: people, vehicles, bicycles. Not for ordinary (RGB) video, where it takes lane markings for people.',
    description: 'People, vehicles and bicycles from above on thermal video.',
    measured: [
      {
        on: 'HIT-UAV test: 579 thermal pictures',
        byClass: { person: 0.84, vehicle: 0.912, bicycle: 0.818 },
      },
    ],
  }),
  trained({
    ...aerial(),
    name: 'overhead',
    outputs: [undefined, 'vehicle', undefined, undefined],
    suggestedTiles: 'auto',
    status: 'experimental',
    useWhen:
      'Ordinary (RGB) video from a drone that looks straight down: vehicles. Use it with `tiles=auto` or a grid with which vehicles are 20 to 35 pixels large on its canvas of 640; at other scales it misses more. It takes some street furniture and roofs for vehicles.',
    description: 'Vehicles straight down on ordinary video.',
    measured: [
      { on: '57 DJI frames of aerial-cars-dataset, RGB, not trained on, whole', byClass: { vehicle: 0.482 } },
      {
        on: '57 DJI frames of aerial-cars-dataset, RGB, not trained on, in tiles at half scale',
        byClass: { vehicle: 0.668 },
      },
    ],
  }),
]

interface TrainedModel extends Pick<
  EmbeddedModel,
  | 'name'
  | 'weights'
  | 'status'
  | 'useWhen'
  | 'description'
  | 'attribution'
  | 'trainedSize'
  | 'maxCovered'
  | 'reidentifyDistance'
  | 'wantedDetail'
  | 'suggestedTiles'
> {
  /** Names of the network's outputs; undefined where one is not to be reported. */
  readonly outputs: readonly (string | undefined)[]
  readonly measured: readonly MeasuredAccuracy[]
}

function trained({ outputs, measured, ...model }: TrainedModel): EmbeddedModel {
  return {
    ...model,
    family: aerie,
    inputSize: { width: 640, height: 640 },
    picture: aerie.picture,
    classes: outputs.map((name, id) => (name === undefined ? undefined : { id, name })),
    areAllClasses: true,
    maxOverlap: aerie.maxOverlap,
    outputNames: {},
    isDecoded: false,
    licence: 'Apache-2.0',
    // They learnt to say how well their box fits, so they are never as sure as others.
    typicalConfidence: 0.65,
    accuracy: { publishedCocoMap: null, people: null, measured },
    speed: { oneThreadMs: 88, twoThreadsMs: 51 },
  }
}

function aerial(): Pick<TrainedModel, 'weights' | 'attribution' | 'trainedSize'> {
  return {
    weights: {
      from: 'repository',
      file: 'aerial/model.onnx',
      sha256: 'db2948bcc1b40836f13c9de2d499cbf000b869ee2db50deb59cdd36c59334505',
    },
    attribution:
      'Trained by the authors of Aerie on HIT-UAV (CC BY 4.0; J. Suo, T. Wang, X. Zhang, H. Chen, W. Zhou, W. Shi, Scientific Data 2023, doi:10.1038/s41597-023-02066-6), the KIT AIS Data Set (CC BY 3.0, © "KIT AIS Data Set") and the Aerial Maritime Drone Dataset (MIT)',
    // A car is 4.5 m by 1.8 m; turned, its upright box is larger than itself.
    trainedSize: { objectM: 3.2, minPx: 20, maxPx: 35 },
  }
}
