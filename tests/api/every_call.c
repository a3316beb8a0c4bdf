/* Every call of tessera.h from C11. Prints what went wrong and exits with 1. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <tessera/tessera.h>

static int failures = 0;

static void check(int condition, const char* what, int line) {
  if (!condition) {
    fprintf(stderr, "line %d: %s\n", line, what);
    ++failures;
  }
}
#define CHECK(condition) check((condition) ? 1 : 0, #condition, __LINE__)

static tessera_error error;

static void check_ok(tessera_status status, const char* call, int line) {
  if (status != TESSERA_OK) {
    fprintf(stderr, "line %d: %s: %s\n", line, call, error.message);
    ++failures;
  }
}
#define OK(call) check_ok((call), #call, __LINE__)

static void* take(void* user, size_t bytes) {
  ++*(size_t*)user;
  return aligned_alloc(64, (bytes + 63) / 64 * 64);
}

static void give_back(void* user, void* memory, size_t bytes) {
  (void)bytes;
  --*(size_t*)user;
  free(memory);
}

static void run_in_order(void* user, size_t count, void (*call)(void* state, size_t i),
                         void* state) {
  (void)user;
  for (size_t i = 0; i < count; ++i) {
    call(state, i);
  }
}

static void note_progress(void* user, double fraction) {
  *(double*)user = fraction;
}

static tessera_picture* make_picture(tessera_image* image) {
  tessera_picture* picture = NULL;
  const tessera_image empty = TESSERA_IMAGE_INIT;
  OK(tessera_make_sample("sprite", 48, 32, 7, &picture, &error));
  *image = empty;
  OK(tessera_picture_image(picture, image, &error));
  return picture;
}

static void use_contexts(void) {
  size_t pieces = 0;
  const tessera_allocator allocator = {take, give_back, &pieces};
  tessera_context_options options = TESSERA_CONTEXT_OPTIONS_INIT;
  tessera_context* context = NULL;
  tessera_device_info device = {.struct_size = sizeof device};
  options.parallel_run = run_in_order;
  options.threads = 2;
  options.allocator = &allocator;
  OK(tessera_context_create(&options, &context, &error));
  CHECK(strcmp(tessera_context_backend(context), "runner") == 0);
  CHECK(tessera_context_threads(context) == 2);
  CHECK(tessera_context_rank(context) == 0);
  CHECK(tessera_context_rank_count(context) == 1);
  tessera_context_destroy(context);
  CHECK(pieces == 0);
  CHECK(tessera_device_at(100000, &device, &error) != TESSERA_OK);
}

static void list_options(void) {
  tessera_option_info info = {.struct_size = sizeof info};
  size_t count = 0;
  while (tessera_option_at(0, count, &info, &error) == TESSERA_OK) {
    CHECK(info.key[0] != '\0');
    ++count;
  }
  CHECK(count > 10);
}

static void encode_and_decode(tessera_buffer** kept) {
  tessera_image image;
  tessera_picture* const picture = make_picture(&image);
  const tessera_option named = {"channel-weights", "1,2,1"};
  tessera_encode_options options = TESSERA_ENCODE_OPTIONS_INIT;
  tessera_encoder* encoder = NULL;
  tessera_encoder_info info = {.struct_size = sizeof info};
  tessera_encode_report report = TESSERA_ENCODE_REPORT_INIT;
  tessera_control control = TESSERA_CONTROL_INIT;
  tessera_stop* const stop = tessera_stop_create();
  double progress = 0;
  size_t bytes = 0;
  options.format = "astc";
  options.preset = "fast";
  options.metrics = 1;
  options.options = &named;
  options.option_count = 1;
  OK(tessera_encoder_create(&options, &encoder, &error));
  OK(tessera_encoder_describe(encoder, &info, &error));
  CHECK(strcmp(info.format, "astc") == 0 && info.block_bytes == 16);
  control.progress = note_progress;
  control.user = &progress;
  control.stop = stop;
  OK(tessera_encode(encoder, NULL, &image, &control, kept, &report, &error));
  CHECK(progress > 0.99 && report.has_metrics && report.metrics.psnr_rgba > 20);
  {
    tessera_buffer* advice = NULL;
    OK(tessera_advise(encoder, NULL, &image, NULL, &advice, &error));
    CHECK(strstr((const char*)tessera_buffer_data(advice), "recommended") != NULL);
    tessera_buffer_destroy(advice);
  }
  OK(tessera_payload_size(encoder, &image, &bytes, &error));
  uint8_t* const blocks = malloc(bytes);
  uint8_t* const pixels = malloc(48 * 32 * 4);
  OK(tessera_encode_blocks(encoder, NULL, &image, NULL, blocks, bytes, &error));
  {
    /* Memory of the host is not that of a device. */
    tessera_device_image on_device = {sizeof on_device, blocks, 64, 16, 16};
    CHECK(tessera_encode_device_memory(encoder, NULL, &on_device, blocks, bytes, NULL, &error) ==
          TESSERA_ERROR_USAGE);
    tessera_metrics metrics = TESSERA_METRICS_INIT;
    CHECK(tessera_compare_device_memory(NULL, &on_device, &on_device, 4, 4, NULL, &metrics,
                                        &error) == TESSERA_ERROR_USAGE);
  }
  tessera_image layout = image;
  layout.row_stride = 0;
  layout.slice_stride = 0;
  OK(tessera_decode_blocks(NULL, "astc", NULL, blocks, bytes, NULL, NULL, &layout, pixels, &error));
  tessera_stop_request(stop);
  tessera_buffer* nothing = NULL;
  CHECK(tessera_encode(encoder, NULL, &image, &control, &nothing, NULL, &error) ==
        TESSERA_ERROR_INTERRUPTED);
  free(pixels);
  free(blocks);
  tessera_stop_destroy(stop);
  tessera_encoder_destroy(encoder);
  tessera_picture_destroy(picture);
}

static void encode_tiles(void) {
  tessera_encode_options options = TESSERA_ENCODE_OPTIONS_INIT;
  tessera_tile_encoder* encoder = NULL;
  static const uint8_t rgba[16 * 16 * 4];
  uint8_t blocks[16 * 16];
  options.format = "astc";
  options.block = "4x4";
  options.preset = "realtime";
  OK(tessera_tile_encoder_create(&options, 1, &encoder, &error));
  CHECK(tessera_tile_size(encoder, 16, 16) == sizeof blocks);
  OK(tessera_encode_tile(encoder, rgba, 64, 16, 16, blocks, sizeof blocks, &error));
  tessera_tile_encoder_destroy(encoder);
}

static void look_at(const tessera_buffer* file) {
  const tessera_decode_options options = TESSERA_DECODE_OPTIONS_INIT;
  const uint8_t* const data = tessera_buffer_data(file);
  const size_t size = tessera_buffer_size(file);
  tessera_file_info info = {.struct_size = sizeof info};
  tessera_buffer* json = NULL;
  tessera_picture* picture = NULL;
  OK(tessera_inspect(data, size, NULL, &info, &error));
  CHECK(strcmp(info.kind, "texture") == 0 && info.width == 48 && info.file_bytes == size);
  tessera_limits limits = TESSERA_LIMITS_INIT;
  tessera_control control = TESSERA_CONTROL_INIT;
  control.limits = &limits;
  OK(tessera_inspect_limited(data, size, NULL, &control, &info, &error));
  OK(tessera_describe_limited(data, size, NULL, 1, NULL, &control, &json, &error));
  tessera_buffer_destroy(json);
  OK(tessera_decode(NULL, data, size, "it", &options, NULL, &picture, &info, &error));
  tessera_picture_destroy(picture);
  tessera_buffer* kinds = NULL;
  OK(tessera_map_blocks(data, size, NULL, &kinds, &json, &error));
  CHECK(tessera_buffer_size(kinds) > 0);
  tessera_buffer_destroy(kinds);
  tessera_buffer_destroy(json);
  OK(tessera_check_memory(&limits, "it", 1 << 20, &error));
  CHECK(tessera_check_memory(&limits, "it", UINT64_MAX, &error) == TESSERA_ERROR_FAILED);
  limits.max_pixels = 100;
  CHECK(tessera_inspect_limited(data, size, NULL, &control, &info, &error) == TESSERA_ERROR_FAILED);
  CHECK(tessera_map_blocks_limited(data, size, NULL, &control, &kinds, &json, &error) ==
        TESSERA_ERROR_FAILED);
  CHECK(tessera_list_leaves_limited(data, size, NULL, &control, &json, &error) ==
        TESSERA_ERROR_FAILED);
  CHECK(tessera_list_leaves(data, size, NULL, &json, &error) == TESSERA_ERROR_UNSUPPORTED);
  OK(tessera_describe(data, size, NULL, 1, "0,0", &json, &error));
  CHECK(strstr((const char*)tessera_buffer_data(json), "\"block_at\"") != NULL);
  tessera_buffer_destroy(json);
}

static void transcode(const tessera_buffer* file) {
  tessera_encode_options options = TESSERA_ENCODE_OPTIONS_INIT;
  tessera_encode_report report = TESSERA_ENCODE_REPORT_INIT;
  tessera_encoder* encoder = NULL;
  tessera_buffer* made = NULL;
  options.format = "astc";
  options.block = "8x8";
  options.preset = "realtime";
  options.transcode = 1;
  OK(tessera_encoder_create(&options, &encoder, &error));
  OK(tessera_transcode(encoder, NULL, tessera_buffer_data(file), tessera_buffer_size(file), NULL,
                       NULL, &made, &report, &error));
  CHECK(report.width == 48 && tessera_buffer_size(made) == report.file_bytes);
  tessera_buffer_destroy(made);
  tessera_encoder_destroy(encoder);
}

static void use_pictures(void) {
  tessera_image image;
  tessera_picture* const picture = make_picture(&image);
  tessera_picture* made = NULL;
  tessera_metrics metrics = {.struct_size = sizeof metrics};
  OK(tessera_next_mip_level(&image, &made, &error));
  tessera_picture_destroy(made);
  OK(tessera_edit_picture(&image, 1, 1, 0, &made, &error));
  tessera_picture_destroy(made);
  OK(tessera_compare(&image, &image, 0, 0, &metrics, &error));
  CHECK(metrics.psnr_rgb == 999);
  double channels[4] = {0, 0, 0, 0};
  OK(tessera_compare_channels(&image, &image, channels, &error));
  CHECK(channels[3] == 999);
  OK(tessera_compare_normals(&image, &image, &channels[0], &channels[1], &error));
  CHECK(channels[1] < 0.001);
  OK(tessera_comparison_sheet(&image, &image, 4, &made, &error));
  tessera_picture_destroy(made);
  const tessera_sheet_options sheet = TESSERA_SHEET_OPTIONS_INIT;
  OK(tessera_annotated_sheet(&image, &image, &sheet, &made, &error));
  tessera_picture_destroy(made);
  tessera_picture_destroy(picture);
}

static void count_file(void* user, const tessera_file_report* report) {
  check_ok(report->status, report->message, __LINE__);
  ++*(int*)user;
}

static void use_files(const char* folder) {
  char picture_path[512];
  char texture_path[512];
  tessera_image image;
  tessera_picture* const picture = make_picture(&image);
  tessera_picture* read_back = NULL;
  tessera_buffer* bytes = NULL;
  tessera_encoder* encoder = NULL;
  uint64_t written = 0;
  int done = 0;
  tessera_encode_options options = TESSERA_ENCODE_OPTIONS_INIT;
  tessera_control control = TESSERA_CONTROL_INIT;
  tessera_limits limits = TESSERA_LIMITS_INIT;
  tessera_describe_options describe = TESSERA_DESCRIBE_OPTIONS_INIT;
  tessera_files_options calls = {.struct_size = sizeof calls, .done = count_file, .user = &done};
  const char* input = picture_path;
  snprintf(picture_path, sizeof picture_path, "%s/every_call.png", folder);
  snprintf(texture_path, sizeof texture_path, "%s/every_call.dds", folder);
  OK(tessera_check_output(picture_path, NULL, NULL, 0, &error));
  OK(tessera_write(picture_path, NULL, &image, &written, &error));
  CHECK(tessera_check_output(picture_path, NULL, &input, 1, &error) == TESSERA_ERROR_USAGE);
  OK(tessera_write_to_memory("png", &image, &bytes, &error));
  CHECK(tessera_buffer_size(bytes) == written);
  tessera_buffer_destroy(bytes);
  OK(tessera_read_bytes(picture_path, &bytes, &error));
  CHECK(tessera_buffer_size(bytes) == written);
  OK(tessera_write_bytes(picture_path, tessera_buffer_data(bytes), written, &error));
  tessera_buffer_destroy(bytes);
  control.limits = &limits;
  limits.max_file = written;
  OK(tessera_read_bytes_limited(picture_path, &control, &bytes, &error));
  tessera_buffer_destroy(bytes);
  limits.max_file = 0;
  limits.untrusted = 1;
  describe.verify = 1;
  OK(tessera_describe_file(picture_path, &describe, &control, &bytes, &error));
  CHECK(strstr((const char*)tessera_buffer_data(bytes), "\"width\": 48") != NULL);
  tessera_buffer_destroy(bytes);
  OK(tessera_read(NULL, picture_path, NULL, NULL, &read_back, NULL, &error));
  tessera_picture_destroy(read_back);
  options.format = "bc1";
  OK(tessera_encoder_create(&options, &encoder, &error));
  OK(tessera_encode_files(encoder, NULL, &input, 1, texture_path, &calls, &error));
  OK(tessera_validate_file(texture_path, &control, &bytes, &error));
  CHECK(strstr((const char*)tessera_buffer_data(bytes), "\"valid\": true") != NULL);
  tessera_buffer_destroy(bytes);
  CHECK(tessera_matches("**/a?.*", "x/y/ab.png") == 1 && tessera_matches("b*", "x/ab") == 0);
  input = texture_path;
  OK(tessera_decode_files(NULL, &input, 1, picture_path, NULL, NULL, -1, &calls, &error));
  CHECK(done == 2);
  tessera_encoder_destroy(encoder);
  tessera_picture_destroy(picture);
}

int main(int argc, char** argv) {
  char version[32];
  tessera_buffer* file = NULL;
  tessera_buffer* json = NULL;
  snprintf(version, sizeof version, "%d.%d.%d", TESSERA_VERSION_MAJOR, TESSERA_VERSION_MINOR,
           TESSERA_VERSION_PATCH);
  CHECK(strcmp(tessera_version(), version) == 0);
  use_contexts();
  list_options();
  encode_and_decode(&file);
  encode_tiles();
  look_at(file);
  transcode(file);
  tessera_buffer_destroy(file);
  use_pictures();
  use_files(argc > 1 ? argv[1] : ".");
  OK(tessera_describe_build(&json, &error));
  tessera_buffer_destroy(json);
  OK(tessera_restrict_isa(NULL, &error));
  CHECK(tessera_restrict_isa("abacus", &error) != TESSERA_OK);
  return failures == 0 ? 0 : 1;
}
