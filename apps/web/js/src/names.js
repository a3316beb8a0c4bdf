// Names for people.

export const isometryNames = Object.freeze([
  'as it is',
  'turned by 90 degrees',
  'turned by 180 degrees',
  'turned by 270 degrees',
  'transposed',
  'transposed, turned by 90 degrees',
  'transposed, turned by 180 degrees',
  'transposed, turned by 270 degrees',
]);

export const endpointModeNames = Object.freeze([
  'luminance',
  'luminance and offset',
  'HDR luminance, large range',
  'HDR luminance, small range',
  'luminance and alpha',
  'luminance and alpha, with offsets',
  'RGB and scale',
  'HDR RGB and scale',
  'RGB',
  'RGB and offset',
  'RGB, scale and two alphas',
  'HDR RGB',
  'RGBA',
  'RGBA and offset',
  'HDR RGB with LDR alpha',
  'HDR RGBA',
]);

export const channelNames = Object.freeze(['red', 'green', 'blue', 'alpha']);
