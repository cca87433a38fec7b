// The least that a task costs on an NVIDIA GPU, for comparison with `vyretop bench`: a persistent CUDA
// kernel of one thread that polls a mailbox in host memory, and, the usual way, one kernel launch and
// wait per task. No queue, no scheduler, no OpenGL.
//
//     nvcc -O3 -o mailbox mailbox.cu && ./mailbox [SAMPLES] >mailbox.json
//
// prints a document of schema vyretop.bench/1 with the metrics
//
//     cuda_mailbox  us  from the host's store of a task of 16 bytes to its completion in the host's hands; the
//                       kernel gets bell and task with one read and answers with one store: the limit
//     cuda_task     us  the same with a task of 64 bytes behind a bell, and a fence before each release
//     cuda_ring     us  the same for a batch of 64 such tasks that a warp takes
//     cuda_launch   us  launch of a kernel that runs one such task, and the wait for it
//
// Every kernel ends by itself after kLimit looks at the mailbox, whatever the host does.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <thread>
#include <vector>

#include <cuda_runtime.h>

namespace {

constexpr int kTaskWords = 16;     // as tasks.SlotWords
constexpr int kBatch = 64;         // tasks of cuda_ring
constexpr uint64_t kLimit = 1ull << 32;
constexpr int kDefaultSamples = 200000;
constexpr int kWarmUp = 1000;

void check(cudaError_t e, const char *what) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "mailbox: %s: %s. Fix: run it on a machine with an NVIDIA GPU and its driver\n", what, cudaGetErrorString(e));
  std::exit(1);
}

// Lines that different sides write are 128 bytes apart.
struct Mailbox {
  alignas(128) volatile uint32_t bell;  // host: tasks published; the release of all words of tasks
  volatile uint32_t stop;               // host
  volatile uint32_t param;              // host: of the task of cuda_mailbox
  alignas(128) volatile uint32_t tasks[kBatch][kTaskWords];
  alignas(128) volatile uint32_t done;  // device: tasks completed
  volatile uint32_t result;             // device: what the task of cuda_mailbox left
  alignas(128) volatile uint32_t out[kBatch];
};

__device__ uint4 loadSystem(const volatile void *p) {
  uint4 v;
  asm volatile("ld.relaxed.sys.global.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p) : "memory");
  return v;
}

__device__ void storeSystem(volatile void *p, uint4 v) {
  asm volatile("st.relaxed.sys.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(p), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
}

// One thread, one task at a time. The first 16 bytes of the mailbox are the bell, the stop word, and the
// task; a line is read whole, so a new bell comes with its task.
__global__ void serveLine(Mailbox *box) {
  uint32_t seen = 0;
  for (uint64_t i = 0; i < kLimit; i++) {
    uint4 line = loadSystem(&box->bell);
    if (line.x != seen) {
      seen = line.x;
      storeSystem(&box->done, make_uint4(seen, line.z, 0, 0));
    } else if (line.y != 0) {
      return;
    }
  }
}

// The same with the whole task behind the bell.
__global__ void serveOne(Mailbox *box) {
  uint32_t seen = 0;
  for (uint64_t i = 0; i < kLimit; i++) {
    uint32_t bell = box->bell;
    if (bell != seen) {
      seen = bell;
      __threadfence_system();
      uint32_t param = box->tasks[0][6];
      box->out[0] = param;
      __threadfence_system();
      box->done = seen;
    } else if (box->stop != 0) {
      return;
    }
  }
}

// One warp, a batch at a time, two tasks a lane.
__global__ void serveBatch(Mailbox *box) {
  uint32_t seen = 0;
  for (uint64_t i = 0; i < kLimit; i++) {
    uint32_t bell = threadIdx.x == 0 ? box->bell : 0;
    bell = __shfl_sync(0xffffffffu, bell, 0);
    if (bell == seen) {
      uint32_t stop = threadIdx.x == 0 ? box->stop : 0;
      if (__shfl_sync(0xffffffffu, stop, 0) != 0) return;
      continue;
    }
    seen = bell;
    __threadfence_system();
    for (int t = threadIdx.x; t < kBatch; t += 32) box->out[t] = box->tasks[t][6];
    __threadfence_system();
    __syncwarp();
    if (threadIdx.x == 0) box->done = seen;
  }
}

// The task as a kernel of its own.
__global__ void runOne(Mailbox *box) { box->out[0] = box->tasks[0][6]; }

using Clock = std::chrono::steady_clock;

std::vector<double> sample(int n, const std::function<void(uint32_t)> &once) {
  std::vector<double> us;
  us.reserve(n);
  for (int i = -kWarmUp; i < n; i++) {
    auto began = Clock::now();
    once(static_cast<uint32_t>(i + kWarmUp + 1));
    if (i >= 0) us.push_back(std::chrono::duration<double, std::micro>(Clock::now() - began).count());
  }
  std::sort(us.begin(), us.end());
  return us;
}

void publish(Mailbox *host, int tasks, uint32_t number) {
  host->param = number;
  for (int t = 0; t < tasks; t++) {
    for (int w = 0; w < kTaskWords; w++) host->tasks[t][w] = number + t;
  }
  __atomic_store_n(const_cast<uint32_t *>(&host->bell), number, __ATOMIC_RELEASE);
}

void await(Mailbox *host, int tasks, uint32_t number) {
  while (__atomic_load_n(const_cast<uint32_t *>(&host->done), __ATOMIC_ACQUIRE) != number) {
  }
  bool right = tasks == 0 ? host->result == number : host->out[tasks - 1] == number + tasks - 1;
  if (!right) {
    std::fprintf(stderr, "mailbox: the last of %d tasks of batch %u has a wrong result. Fix: report the driver and the device\n", tasks, number);
    std::exit(1);
  }
}

void print(const char *name, const std::vector<double> &us, int tasks, int lanes, bool last) {
  auto at = [&](double q) { return us[std::min(us.size() - 1, static_cast<size_t>(q * us.size()))]; };
  double sum = 0;
  for (double v : us) sum += v;
  std::printf("    {\"name\": \"%s\", \"unit\": \"us\", \"p50\": %.4g, \"p99\": %.4g, \"p999\": %.4g, \"max\": %.4g, \"n\": %zu, "
              "\"workers\": 1, \"workgroup_size\": %d, \"also\": {\"tasks_per_s\": %.4g}}%s\n",
              name, at(0.5), at(0.99), at(0.999), us.back(), us.size(), lanes, 1e6 * us.size() * std::max(tasks, 1) / sum, last ? "" : ",");
}

// Starts a persistent kernel over a fresh mailbox, samples it, and ends it. Without tasks it is the one
// whose task is in the line of the bell.
std::vector<double> resident(int samples, int tasks, void (*kernel)(Mailbox *), int lanes) {
  Mailbox *host, *device;
  check(cudaHostAlloc(&host, sizeof(Mailbox), cudaHostAllocMapped), "allocate the mailbox");
  check(cudaHostGetDevicePointer(&device, host, 0), "map the mailbox");
  std::fill_n(reinterpret_cast<volatile char *>(host), sizeof(Mailbox), 0);
  kernel<<<1, lanes>>>(device);
  check(cudaGetLastError(), "launch the kernel");
  auto us = sample(samples, [&](uint32_t number) {
    publish(host, tasks, number);
    await(host, tasks, number);
  });
  host->stop = 1;
  check(cudaDeviceSynchronize(), "end the kernel");
  check(cudaFreeHost(host), "free the mailbox");
  return us;
}

std::vector<double> launched(int samples) {
  Mailbox *host, *device;
  check(cudaHostAlloc(&host, sizeof(Mailbox), cudaHostAllocMapped), "allocate the mailbox");
  check(cudaHostGetDevicePointer(&device, host, 0), "map the mailbox");
  auto us = sample(samples, [&](uint32_t number) {
    publish(host, 1, number);
    runOne<<<1, 1>>>(device);
    check(cudaDeviceSynchronize(), "wait for the kernel");
  });
  check(cudaFreeHost(host), "free the mailbox");
  return us;
}

}  // namespace

int main(int argc, char **argv) {
  int samples = argc > 1 ? std::atoi(argv[1]) : kDefaultSamples;
  if (samples < 1) {
    std::fprintf(stderr, "mailbox: %s samples are not possible. Fix: use a number above 0\n", argv[1]);
    return 2;
  }
  check(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceMapHost), "set up the device");
  cudaDeviceProp p;
  check(cudaGetDeviceProperties(&p, 0), "read the device");
  int driver = 0;
  check(cudaDriverGetVersion(&driver), "read the driver's version");
  auto began = Clock::now();
  auto line = resident(samples, 0, serveLine, 1);
  auto one = resident(samples, 1, serveOne, 1);
  auto batch = resident(samples, kBatch, serveBatch, 32);
  auto launches = launched(samples);
  std::printf("{\n  \"schema\": \"vyretop.bench/1\",\n  \"version\": \"mailbox.cu\",\n  \"backend\": \"cuda\",\n"
              "  \"device\": \"0\",\n  \"renderer\": \"%s\",\n  \"driver\": \"CUDA %d.%d\",\n"
              "  \"placement\": {\"mailbox\": \"host-visible\"},\n  \"workers\": 1,\n  \"workgroup_size\": 1,\n"
              "  \"cpus\": %u,\n  \"cpus_oversubscribed\": false,\n  \"software_device\": false,\n  \"rounds\": 1,\n"
              "  \"elapsed_ms\": %.0f,\n  \"metrics\": [\n",
              p.name, driver / 1000, driver % 1000 / 10, std::thread::hardware_concurrency(),
              std::chrono::duration<double, std::milli>(Clock::now() - began).count());
  print("cuda_mailbox", line, 0, 1, false);
  print("cuda_task", one, 1, 1, false);
  print("cuda_ring", batch, kBatch, 32, false);
  print("cuda_launch", launches, 1, 1, true);
  std::printf("  ]\n}\n");
  return 0;
}
