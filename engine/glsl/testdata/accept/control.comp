#version 450
layout(local_size_x = 1) in;
layout(std430, binding = 0) buffer Code { int code[64]; int stack[]; };

int top;
void push(int x) { stack[top++] = x; }
int pop() { return top > 0 ? stack[--top] : 0; }

bool step(inout int pc) {
    int op = code[pc++ & 63];
    switch (op) {
    case 0:
        return false;
    case 1:
        push(code[pc++ & 63]);
        break;
    case 2: case 3: {
        int b = pop(), a = pop();
        push(op == 2 ? a + b : a * b);
        break;
    }
    case 4:
        if (pop() == 0) break;
        /* fall through */
    case 5:
        pc = code[pc & 63];
        break;
    default:
        for (int i = 0, j = op; ; i++, j >>= 1) {
            if (j == 0) { push(i); break; }
            else if (i > 31) return false;
        }
    }
    return true;
}

void main() {
    int pc = 0, left = 1000;
    while (step(pc)) {
        if (--left < 0) break;
    }
    do { stack[top] = left; } while (false);
}
