// How far away things are from a lamp.
in float v_away;
out float away;

void main() { away = v_away; }
