// One sample of the input.
struct Sample {
    vec3 place;
    float weight; // of the sample
    uint tags[2];
};

// Twice a number.
uint twice(uint x) {
    return 2u * x;
}
