// Reads the .ktx2 files of a folder with ktx-parse, prints what it finds in them as JSON, and
// compares that with expected.json and with the levels' bytes. Writes each file again as
// NAME.again.ktx2. Exits with 1 when something differs.
import { deepStrictEqual } from 'node:assert';
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, packages] = process.argv.slice(2);
const require = createRequire(join(packages, 'package.json'));
const { read, write } = await import(pathToFileURL(require.resolve('ktx-parse')));

function describe(container) {
  const [block] = container.dataFormatDescriptor;
  return {
    vkFormat: container.vkFormat,
    typeSize: container.typeSize,
    size: [container.pixelWidth, container.pixelHeight, container.pixelDepth],
    layerCount: container.layerCount,
    faceCount: container.faceCount,
    levelCount: container.levelCount,
    supercompressionScheme: container.supercompressionScheme,
    descriptors: container.dataFormatDescriptor.length,
    colorModel: block.colorModel,
    colorPrimaries: block.colorPrimaries,
    transferFunction: block.transferFunction,
    flags: block.flags,
    texelBlockDimension: block.texelBlockDimension,
    bytesPlane: block.bytesPlane,
    // ktx-parse takes the bounds of signed samples for integers; ours are the bits of floats.
    samples: block.samples.map((sample) => ({
      ...sample,
      sampleLower: sample.sampleLower >>> 0,
      sampleUpper: sample.sampleUpper >>> 0,
    })),
    keys: Object.keys(container.keyValue),
    levelBytes: container.levels.map((level) => level.uncompressedByteLength),
  };
}

function check(name, expected) {
  const container = read(readFileSync(join(folder, `${name}.ktx2`)));
  const found = describe(container);
  console.log(JSON.stringify({ name, ...found }));
  deepStrictEqual(found, expected);
  if (!/^tessera \d+\.\d+\.\d+$/.test(container.keyValue.KTXwriter)) {
    throw new Error(`KTXwriter is ${container.keyValue.KTXwriter}`);
  }
  if (container.supercompressionScheme === 0) {
    const levels = Buffer.concat(container.levels.map((level) => level.levelData));
    deepStrictEqual(levels.equals(readFileSync(join(folder, `${name}.levels`))), true, 'level bytes');
  }
  writeFileSync(join(folder, `${name}.again.ktx2`), write(container, { keepWriter: true }));
}

let failures = 0;
const all = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'));
for (const [name, expected] of Object.entries(all)) {
  try {
    check(name, expected);
  } catch (error) {
    failures += 1;
    console.error(`${name}: ${error.message}`);
  }
}
console.log(`${Object.keys(all).length} files, ${failures} failures`);
process.exit(failures === 0 && Object.keys(all).length > 0 ? 0 : 1);
