// Counts a number in the bin of how many of its bits are set.
layout(std430, binding = 8) coherent buffer HistogramBins { uint histogram_bins[13]; };

void histogram(inout Task t) {
    uint bin = uint(bitCount(t.input_handle));
    uint before = histogram_bins[bin];
    histogram_bins[bin] = before + 1u;
    task_done(t);
}
