// Who may import whom: the table of ARCHITECTURE.md, enforced by `npm run check`.
const features =
  'accounts|sessions|console|recordings|sources|watching|processes|outputs|telemetry|reports|alerts|webhooks|system|nodes|timeline|clips|contacts|preferences'

/** `folder` may import only `allowed` (regular expressions on paths below src), itself, and npm packages. */
const only = (folder, allowed, comment) => ({
  name: `${folder.replace(/[^a-z]+/g, '-')}-imports-only-what-it-may`,
  comment,
  severity: 'error',
  from: { path: `^src/(${folder})/`, pathNot: '\\.test\\.ts$' },
  to: { path: '^src/', pathNot: [`^src/(${folder})/`, ...allowed.map((path) => `^src/${path}`)] },
})

/** npm `packages` may be imported only from `places`. */
const packageOnlyIn = (packages, places) => ({
  name: `${packages.replace(/[^a-z]+/g, '-')}-stays-at-its-border`,
  severity: 'error',
  from: { path: '^src/', pathNot: [...places.map((place) => `^src/${place}`), '\\.test\\.ts$'] },
  to: { path: `node_modules/(${packages})/` },
})

/** The files of `pipeline/` that put stages together: the whole way, its parts, and what is shown and kept of it. */
const composers =
  'run|live-pictures|file-pictures|load-detector|detection-stages|video-out|picture-drawer|feed|rendition|preview|scene-pictures|track-pictures'

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    { name: 'no-unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
    {
      name: 'no-dev-dependency-in-product',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.test\\.ts$' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'], dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'entry-points-are-imported-by-nobody',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(main|cli)\\.ts$', '^src/cli/', '\\.test\\.ts$'] },
      to: { path: '^src/(app|main|cli)(\\.ts$|/)' },
    },
    {
      name: 'what-composes-is-imported-by-the-app-only',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(app|features)\\.ts$', '\\.test\\.ts$'] },
      to: { path: '^src/(features|foundation)\\.ts$' },
    },
    only('core', [], 'core knows nothing of the rest'),
    {
      name: 'core-does-no-io',
      comment: 'words and pure tools; net is let in for its parser of addresses',
      severity: 'error',
      from: { path: '^src/core/', pathNot: '\\.test\\.ts$' },
      to: { path: '^(node:)?(fs|https?|http2|tls|dns|dgram|child_process|worker_threads)(/promises)?$' },
    },
    only('observe', ['core/'], 'observe stands on core alone'),
    only('config', ['core/', 'observe/'], 'config stands on core'),
    only('storage', ['core/', 'observe/'], 'storage stands on core'),
    only('supervise', ['core/', 'observe/'], 'children are children, whatever they do'),
    only('outbound', ['core/', 'observe/'], 'every dial for users, whoever wants it'),
    only(
      'delivery',
      ['core/', 'observe/', 'storage/', 'outbound/'],
      'what leaves, leaves by the same door, whoever sends it',
    ),
    only(
      'cluster',
      ['core/', 'observe/', 'storage/', 'streams/', 'media/messages\\.ts$'],
      'what nodes are to each other; features declare what they need of it',
    ),
    only('http', ['core/'], 'answers that the routes of several features give alike'),
    only(
      'av',
      ['core/'],
      'FFmpeg: opening for everything that decodes, muxing and times for everything that copies packets',
    ),
    only(
      'pipeline',
      ['core/', 'observe/', 'supervise/', 'outbound/', 'av/', 'media/[^/]+/(wire|client)/', 'media/rtp/'],
      'the way of a frame knows only the words, and the clients by which it reads and sends',
    ),
    {
      name: 'a-stage-never-imports-another-stage',
      comment: 'the files beside the stages compose them; see `composers`',
      severity: 'error',
      from: { path: '^src/pipeline/([^/]+)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/pipeline/[^/]+/', pathNot: '^src/pipeline/$1/' },
    },
    {
      name: 'only-composers-import-stages',
      comment: 'run.ts puts the whole way together, and each of the others one part of it; types may be named by all',
      severity: 'error',
      from: { path: '^src/pipeline/[^/]+\\.ts$', pathNot: [`^src/pipeline/(${composers})\\.ts$`, '\\.test\\.ts$'] },
      to: { path: '^src/pipeline/[^/]+/', dependencyTypesNot: ['type-only'] },
    },
    only('media', ['core/', 'observe/', 'supervise/', 'outbound/', 'av/'], 'the media server knows only the words'),
    {
      name: 'a-media-protocol-never-imports-another',
      severity: 'error',
      from: { path: '^src/media/([^/]+)/', pathNot: '\\.test\\.ts$' },
      // rtp/, mp4/ and mpegts/ are formats and no protocols; wires and clients are what other protocols and workers read and send by.
      to: {
        path: '^src/media/[^/]+/',
        pathNot: ['^src/media/$1/', '^src/media/(rtp|mp4|mpegts)/', '^src/media/[^/]+/(wire|client)/'],
      },
    },
    {
      name: 'a-wire-knows-neither-side',
      severity: 'error',
      from: { path: '^src/media/([^/]+)/wire/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/media/$1/(server|client|demux)/' },
    },
    {
      name: 'a-demuxer-knows-neither-side',
      comment: 'what is published to our server and what our client plays go the same way to the hub',
      severity: 'error',
      from: { path: '^src/media/rtmp/demux/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/media/rtmp/(server|client)/' },
    },
    {
      name: 'server-and-client-never-import-each-other',
      comment: 'they meet on the wire, and in RTMP’s demux/',
      severity: 'error',
      from: { path: '^src/media/([^/]+)/(server|client)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/media/$1/(server|client)/', pathNot: '^src/media/$1/$2/' },
    },
    only(
      'streams',
      ['core/', 'observe/', 'supervise/', 'media/messages\\.ts$'],
      'the media server as the main process knows it, below all that uses it',
    ),
    only('enhance', ['core/', 'observe/', 'supervise/', 'av/'], 'enhancement knows only the words'),
    only(
      'cutting',
      [
        'core/',
        'observe/',
        'supervise/',
        'av/',
        'media/messages\\.ts$',
        'media/rtp/',
        'pipeline/(decode|encode|overlay)/',
        'pipeline/(picture|clock-rate)\\.ts$',
      ],
      'what cuts clips decodes, draws and encodes by the stages of the pipeline, and knows nothing else of it',
    ),
    {
      name: 'features-never-import-each-other',
      comment: 'they talk by core/bus.ts or by an interface that the consumer declares',
      severity: 'error',
      from: { path: `^src/(${features})/`, pathNot: '\\.test\\.ts$' },
      to: {
        path: '^src/',
        pathNot: [
          '^src/$1/',
          '^src/(core|storage|observe|supervise|outbound|streams|http)/',
          '^src/(pipeline|media|enhance|cutting)/messages\\.ts$',
          '^src/media/(mp4|mpegts)/',
        ],
      },
    },
    {
      name: 'http-only-for-routes',
      comment: 'services know no HTTP',
      severity: 'error',
      from: { path: '^src/', pathNot: ['^src/(http|api)/', '\\.routes\\.ts$', '\\.test\\.ts$'] },
      to: { path: '^src/http/' },
    },
    {
      name: 'each-feature-only-the-messages-it-needs',
      severity: 'error',
      from: { path: `^src/(${features})/`, pathNot: ['^src/processes/', '\\.test\\.ts$'] },
      to: { path: '^src/pipeline/' },
    },
    {
      name: 'media-messages-only-for-who-starts-media-workers',
      severity: 'error',
      from: { path: `^src/(${features})/`, pathNot: ['^src/(recordings|sources|watching)/', '\\.test\\.ts$'] },
      to: { path: '^src/media/' },
    },
    {
      name: 'files-of-video-only-for-recordings',
      comment: 'they repair what a recording worker left behind, and send pieces of it to players',
      severity: 'error',
      from: { path: `^src/(${features})/`, pathNot: ['^src/recordings/', '\\.test\\.ts$'] },
      to: { path: '^src/media/(mp4|mpegts)/' },
    },
    {
      name: 'enhance-messages-only-for-reports',
      severity: 'error',
      from: { path: `^src/(${features})/`, pathNot: ['^src/reports/', '\\.test\\.ts$'] },
      to: { path: '^src/enhance/' },
    },
    {
      name: 'cutting-messages-only-for-clips',
      severity: 'error',
      from: { path: `^src/(${features})/`, pathNot: ['^src/clips/', '\\.test\\.ts$'] },
      to: { path: '^src/cutting/' },
    },
    {
      name: 'api-knows-routes-not-services',
      severity: 'error',
      from: { path: '^src/api/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/', pathNot: ['^src/(api|core|observe)/', '\\.routes\\.ts$'] },
    },
    {
      name: 'the-console-knows-only-the-client',
      comment: 'and the modules that it shares with the player page: what it does, anybody could do with the API',
      severity: 'error',
      from: { path: '^console/' },
      to: {
        pathNot: ['^console/', '^clients/typescript/src/client\\.ts$', '^player/[^/]+\\.js$', 'node_modules'],
      },
    },
    {
      name: 'the-player-stands-alone',
      comment: 'browsers load its files as they are: there is no build that could bring anything in',
      severity: 'error',
      from: { path: '^player/', pathNot: '\\.test\\.ts$' },
      to: { pathNot: '^player/', dependencyTypesNot: ['type-only'] },
    },
    packageOnlyIn('fastify|@fastify|fastify-type-provider-zod|@scalar', ['api/', 'http/', '[^/]+/.*\\.routes\\.ts$']),
    packageOnlyIn('kysely|libsql|pg|pg-cursor', ['storage/', '[^/]+/.*\\.store\\.ts$']),
    packageOnlyIn('@nats-io', ['cluster/']),
    packageOnlyIn('node-datachannel', ['media/webrtc/']),
    packageOnlyIn('aws4fetch', ['storage/object-store/']),
    packageOnlyIn('nodemailer', ['delivery/']),
    packageOnlyIn('node-av|onnxruntime-node', [
      'av/',
      'pipeline/',
      'enhance/',
      'cutting/',
      'media/(hls|webrtc|recording|probe)/',
    ]),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['aerie-source', 'import', 'node', 'default', 'types'],
    },
  },
}
