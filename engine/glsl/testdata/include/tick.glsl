#pragma once
int budget = 60000;
bool vt_tick() { return --budget > 0; }
