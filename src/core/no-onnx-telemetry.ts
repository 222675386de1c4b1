/**
 * ONNX Runtime's builds since 1.29 report to their maker: names and hashes of models, times, an identifier of the
 * computer. Nothing leaves this machine unasked. Every module that loads the library imports this for its effect: the library
 * looks once, when it is first used. It must be said in the main thread, since a thread's environment is a copy.
 */
process.env['ORT_DISABLE_TELEMETRY'] = '1'
