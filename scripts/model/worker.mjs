/** One of several threads that ask the teacher; which thread embeds a text does not change its vector. */
import { parentPort, workerData } from 'node:worker_threads'
import { readTensors } from './safetensors.mjs'
import { createTeacher } from './teacher.mjs'

const embed = await createTeacher(readTensors(workerData.weights))
parentPort?.on('message', ({ sentences }) => parentPort?.postMessage({ vectors: embed(sentences) }))
