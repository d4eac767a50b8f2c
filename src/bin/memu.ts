import { memuMain } from '../cli/main.ts'

void memuMain()
