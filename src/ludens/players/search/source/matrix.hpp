// Matrix games, by the simplex method.
#pragma once
#include <math.h>

#include "tree.hpp"

constexpr Integer MATRIX_SIDE = 24;
constexpr double PIVOT = 1e-9;

// The value of a matrix of what the first player gets, not below zero, and optimal strategies of both players; -1 if the
// method does not come to an end.
//
// The second player's problem: maximise the sum of y with (matrix + 1) y <= 1, y >= 0. The optimum is the inverse of the
// value plus one; prices of the rows are the first player's strategy. Bland's rule prevents cycles.
inline double solve_matrix(const double *matrix, Integer rows, Integer columns, double *row_shares,
                           double *column_shares) {
    double table[(MATRIX_SIDE + 1) * (2 * MATRIX_SIDE + 1)];
    Integer basis[MATRIX_SIDE];
    const Integer width = columns + rows + 1, last = width - 1;
    for (Integer row = 0; row <= rows; row++)
        for (Integer column = 0; column < width; column++) {
            double &cell = table[row * width + column];
            if (row == rows)
                cell = column < columns ? -1.0 : 0.0;
            else if (column < columns)
                cell = matrix[row * columns + column] + 1.0;
            else
                cell = column == last || column - columns == row ? 1.0 : 0.0;
        }
    for (Integer row = 0; row < rows; row++) basis[row] = columns + row;
    for (Integer steps = 0;; steps++) {
        Integer entering = 0;
        while (entering < last && table[rows * width + entering] >= -PIVOT) entering++;
        if (entering == last) break;
        Integer leaving = -1;
        double best = 0.0;
        for (Integer row = 0; row < rows; row++) {
            double factor = table[row * width + entering];
            if (factor <= PIVOT) continue;
            double ratio = table[row * width + last] / factor;
            if (leaving < 0 || ratio < best - PIVOT || (ratio < best + PIVOT && basis[row] < basis[leaving]))
                leaving = row, best = ratio;
        }
        if (leaving < 0 || steps > 5000) return -1.0;
        double factor = table[leaving * width + entering];
        for (Integer column = 0; column < width; column++) table[leaving * width + column] /= factor;
        for (Integer row = 0; row <= rows; row++) {
            if (row == leaving) continue;
            double times = table[row * width + entering];
            if (times == 0.0) continue;
            for (Integer column = 0; column < width; column++)
                table[row * width + column] -= times * table[leaving * width + column];
        }
        basis[leaving] = entering;
    }
    double total = table[rows * width + last];
    for (Integer column = 0; column < columns; column++) column_shares[column] = 0.0;
    for (Integer row = 0; row < rows; row++) {
        row_shares[row] = fmax(0.0, table[rows * width + columns + row] / total);
        if (basis[row] < columns) column_shares[basis[row]] = fmax(0.0, table[row * width + last] / total);
    }
    return 1.0 / total - 1.0;
}
