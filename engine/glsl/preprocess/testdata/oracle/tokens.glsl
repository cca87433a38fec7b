#version 450
a+++b a---b a+ +b a<<=b a>>=b a<<b a>>b a<=b a>=b a==b a!=b a&&b a||b a^^b a*=b a/=b a%=b a+=b a-=b a&=b a|=b a^=b
0 1 12u 0x1F 0XABu 017 1.0 1. .5 1e3 1E-3 1.5e+3 1.0f 1.F .5F 1e5f 08.5 1.0.xx v.xyz v[0].y
( ) [ ] { } . , : = ; ! - ~ + * / % < > | ^ & ?
x=-1-- -y; z = a ?b:c; _under __dunder A1b2C3
1.0lf 2.0LF 4294967295 0xFFFFFFFF 037777777777
